export const adminOnly = {
  title: 'For administrators',
  text: 'This page changes what everybody here may do, so it is theirs alone. Ask one of your administrators if you need something from it.',
};
