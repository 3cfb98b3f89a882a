export default {
  'print.which': 'Open this page from the day of a doctor.',
  'print.back': 'To the doctors',
  'print.print': 'Print',
  'print.empty': 'No appointments on this day.',
  'print.time': 'Time',
  'print.taken': 'Taken',
  'print.free': 'Free',
  'print.remarks': 'Remarks',
  'print.as': 'As of {time}. {zone}.',
};
