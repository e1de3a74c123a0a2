export const session = {
  title: 'Sign in',
  lead: 'The gate for container images: pulled, scanned, reviewed, let through.',
  username: 'Username',
  password: 'Password',
  submit: 'Sign in',
  withProvider: (name: string) => `Sign in with ${name}`,
  or: 'or',
  providerFailed: 'The sign-in with the identity provider failed.',
  expired: 'Your session has ended',
  expiredText: 'Sign in again to go on. What you typed is still here.',
  goOn: 'I have signed in again',
  other: 'Use another account',
};
