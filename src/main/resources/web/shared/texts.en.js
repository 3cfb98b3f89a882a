export default {
  'frame.skip': 'Skip to content',
  'frame.pages': 'Pages',
  'frame.language': 'Language',
  'frame.offline': 'You are offline. What you see may be out of date; it is refreshed as soon as the connection is back.',
  'frame.retry': 'Try again',
  'frame.loading': 'Loading …',
  'frame.unreachable': 'The clinic cannot be reached at the moment. Please check your connection.',
  'frame.close': 'Close',
  'moment': '{day}, {time}',
  'viewer.note': '{time} where you are ({zone})',
  'countdown.days.one': '{n} day {rest}',
  'countdown.days': '{n} days {rest}',
};
