export default {
  'frame.skip': '本文へ移動',
  'frame.pages': 'ページ',
  'frame.language': '言語',
  'frame.offline': 'オフラインです。表示内容が最新でない可能性があります。接続が戻り次第、更新されます。',
  'frame.retry': 'もう一度試す',
  'frame.loading': '読み込み中 …',
  'frame.unreachable': '現在クリニックに接続できません。インターネット接続をご確認ください。',
  'frame.close': '閉じる',
  'moment': '{day} {time}',
  'viewer.note': 'お住まいの地域では {time}（{zone}）',
  'countdown.days': '{n}日 {rest}',
};
