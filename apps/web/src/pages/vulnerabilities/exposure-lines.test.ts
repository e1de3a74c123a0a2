import { expect, it } from 'vitest';
import { exposureLines } from './exposure-lines.ts';

const place = (state: 'off' | 'report' | 'grace' | 'refused' | 'waived' | 'unjudged') => ({
  ...{ state, images: 2, tags: 3, bypassed: 1 },
});
const lines = (...args: Parameters<typeof exposureLines>) =>
  exposureLines(...args).map(({ is, images }) => `${is} ${images}`);

it('what is served although it is blocked is one line, with each reason', () => {
  const [served] = exposureLines({
    places: [place('grace'), place('off'), place('report')],
    staged: 0,
  });
  expect(served).toEqual({
    ...{ is: 'served', images: 6, tags: 9 },
    because: [
      { state: 'off', images: 2 },
      { state: 'report', images: 2 },
      { state: 'grace', images: 2 },
    ],
  });
});

it.each<[string, Parameters<typeof exposureLines>[0], string[]]>([
  ['nothing is served', { places: [], staged: 0 }, ['served 0']],
  ['images wait in staging', { places: [], staged: 4 }, ['served 0', 'staged 4']],
  [
    'the most urgent is first, and what was not judged is no pass',
    { places: [place('unjudged'), place('waived'), place('refused')], staged: 0 },
    ['served 0', 'bypassed 3', 'refused 2', 'waived 2', 'unjudged 2'],
  ],
])('where %s', (_, exposure, expected) => {
  expect(lines(exposure)).toEqual(expected);
});
