/** What the demonstration prints at its end: where to look, and with which accounts. */
import type { State } from './state.ts';
import { FOLDER } from './story/set-up.ts';

export interface EndingFacts extends Pick<State, 'logins' | 'pages'> {
  url: string;
}

const ROLES = {
  administrator: 'everything',
  developer: 'pulls, pushes what passes, requests reviews',
  reviewer: 'decides about requests, may push what is blocked',
  robot: 'pulls over /v2; the password is a token',
} as const;

export function ending({ url, logins, pages }: EndingFacts): string {
  const roles = ['administrator', 'developer', 'reviewer', 'robot'] as const;
  const widest = Math.max(...roles.map((role) => logins[role].password.length));
  const accounts = roles.map((role) => {
    const { username, password } = logins[role];
    return `    ${role.padEnd(15)}${username.padEnd(10)}${password.padEnd(widest + 2)}${ROLES[role]}`;
  });
  const { host } = new URL(url);
  const { robot } = logins;
  return [
    '',
    '  The demonstration is ready to look around in. All of it is SAMPLE DATA.',
    '',
    `    ${url}`,
    '',
    ...accounts,
    '',
    ...pages.map(({ path, shows }) => `    ${url}${path}   ${shows}`),
    '',
    '  With docker, podman or skopeo:',
    `    docker login -u ${robot.username} -p ${robot.password} ${host}`,
    `    docker pull ${host}/${FOLDER}/web:1.0`,
    '',
    '  Ctrl-C stops it; npm run demo goes on with the same data.',
    '  npm run demo -- --remove deletes it.   npm start runs Portcullis without samples.',
    '',
  ].join('\n');
}
