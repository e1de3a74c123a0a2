import { describe, expect, it } from 'vitest';
import { DOCKER_HUB, draftOf, mirrorOf } from './mirror-draft.ts';

const saved = {
  ...{ registry_id: 'r', prefix: 'org', allow: ['app'], platforms: ['linux/amd64'] },
  ...{ check_minutes: 5, keep_days: 7 },
};

describe('the form of a mirror', () => {
  it('proposes Docker Hub with the defaults of the API', () => {
    expect(mirrorOf(draftOf(null))).toEqual({
      ...{ registry_id: null, prefix: '', allow: ['*'], platforms: [] },
      ...{ check_minutes: 60, keep_days: 90 },
    });
  });

  it('sends what is saved as it is, and no blanks', () => {
    expect(mirrorOf(draftOf(saved))).toEqual(saved);
    expect(mirrorOf(draftOf({ ...saved, registry_id: null })).registry_id).toBeNull();
    expect(mirrorOf({ ...draftOf(saved), registry: DOCKER_HUB, prefix: ' a ' })).toMatchObject({
      ...{ registry_id: null, prefix: 'a' },
    });
  });

  it('leaves out what is only shown of a mirror', () => {
    expect(draftOf({ ...saved, host: 'x' } as typeof saved)).not.toHaveProperty('host');
  });
});
