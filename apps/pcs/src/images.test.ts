import { expect, it } from 'vitest';
import { localImage } from './images.ts';

const SITE = new URL('https://images.example:8443');

it.each(['team/app:1', 'images.example:8443/team/app:1'])(
  '%s is in the built-in registry',
  (text) => {
    expect(localImage(text, SITE)).toEqual({ repository: 'team/app', reference: '1' });
  },
);

it('another host is refused with the name to write', () => {
  expect(() => localImage('localhost:8080/team/app:1', SITE)).toThrow(
    'localhost:8080 is not the host of PORTCULLIS_URL, images.example:8443; write the image as team/app:1',
  );
});
