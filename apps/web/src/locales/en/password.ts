export const password = {
  title: 'Change your password',
  forced: 'Choose a password of your own to go on.',
  current: 'Current password',
  wanted: 'New password',
  hint: 'At least 12 characters; a sentence is good.',
  again: 'New password once more',
  differ: 'The two are not the same.',
  short: (missing: number) => `${missing} more, please.`,
  submit: 'Change password',
  done: 'Your password is changed.',
  signOut: 'Sign out',
};
