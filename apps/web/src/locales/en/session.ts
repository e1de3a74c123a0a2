export const session = {
  title: 'Sign in',
  lead: 'Pull, scan, review and push container images.',
  username: 'Username',
  password: 'Password',
  submit: 'Sign in',
  withProvider: (name: string) => `Sign in with ${name}`,
  or: 'or',
  expired: 'Your session has ended',
  expiredText: 'Sign in again to continue. What you typed is still here.',
  goOn: 'I have signed in',
  other: 'Use another account',
};
