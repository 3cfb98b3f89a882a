export default {
  'frame.skip': '본문으로 건너뛰기',
  'frame.pages': '페이지',
  'frame.language': '언어',
  'frame.offline': '오프라인 상태입니다. 보이는 내용이 최신이 아닐 수 있으며, 연결되면 바로 새로 고쳐집니다.',
  'frame.retry': '다시 시도',
  'frame.loading': '불러오는 중 …',
  'frame.unreachable': '지금은 병원에 연결할 수 없습니다. 인터넷 연결을 확인해 주세요.',
  'frame.close': '닫기',
  'moment': '{day} {time}',
  'viewer.note': '계신 곳 시간으로 {time} ({zone})',
  'countdown.days': '{n}일 {rest}',
};
