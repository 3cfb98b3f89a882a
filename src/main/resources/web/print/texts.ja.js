export default {
  'print.which': '医師の診療日からこのページを開いてください。',
  'print.back': '医師の一覧へ',
  'print.print': '印刷',
  'print.empty': 'この日の診療はありません。',
  'print.time': '時間',
  'print.taken': '予約',
  'print.free': '空き',
  'print.remarks': '備考',
  'print.as': '{time} 現在。{zone}。',
};
