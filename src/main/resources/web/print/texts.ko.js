export default {
  'print.which': '의사의 진료일에서 이 페이지를 열어 주세요.',
  'print.back': '의사 목록으로',
  'print.print': '인쇄',
  'print.empty': '이 날은 진료가 없습니다.',
  'print.time': '시간',
  'print.taken': '예약',
  'print.free': '남음',
  'print.remarks': '비고',
  'print.as': '{time} 기준. {zone}.',
};
