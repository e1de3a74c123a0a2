import { Webhook } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import {
  changeOf,
  EMPTY_FORM,
  formOf,
  isComplete,
  needsUrl,
  newWebhookOf,
} from './webhook-form.ts';
import { sortedKinds } from './webhook-kinds.ts';

const SAVED: Webhook = {
  id: 'a7a3f9f2-8f38-4a1e-9a3c-0d4b8f0f7e11',
  name: 'tickets',
  folder: 'team',
  url: 'https://hooks.example/…',
  format: 'slack',
  kinds: ['job.failed', 'image.blocked'],
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  last_attempt: null,
  previous_secret_until: null,
  created_by: 'admin',
  created_at: '2026-11-24T08:00:00.000Z',
};

describe('the form of a webhook', () => {
  it('offers every kind of event once', () => {
    const { options } = Webhook.shape.kinds.element;
    expect(sortedKinds(options).toSorted()).toEqual(options.toSorted());
  });

  it('changes nothing that was not changed, and never the URL that is shown', () => {
    expect(changeOf(formOf(SAVED), SAVED)).toEqual({});
    const form = { ...formOf(SAVED), name: ' bugs ', enabled: false };
    expect(changeOf(form, SAVED)).toEqual({ name: 'bugs', enabled: false });
  });

  it('all events are an empty list of kinds', () => {
    expect(changeOf({ ...formOf(SAVED), all: true }, SAVED)).toEqual({ kinds: [] });
    expect(newWebhookOf({ ...EMPTY_FORM, all: true }).kinds).toEqual([]);
    expect(formOf({ ...SAVED, kinds: [] }).all).toBe(true);
  });

  it('needs the URL for a new webhook and for another format', () => {
    expect(needsUrl(EMPTY_FORM, null)).toBe(true);
    expect(needsUrl(formOf(SAVED), SAVED)).toBe(false);
    expect(needsUrl({ ...formOf(SAVED), format: 'teams' }, SAVED)).toBe(true);
    expect(needsUrl({ ...formOf(SAVED), format: 'teams', url: 'https://b' }, SAVED)).toBe(false);
  });

  it('is complete with a name, a URL and at least one kind', () => {
    const form = { ...EMPTY_FORM, name: 'a', url: 'https://a' };
    expect(isComplete(form, null)).toBe(true);
    expect(isComplete({ ...form, kinds: [] }, null)).toBe(false);
    expect(isComplete({ ...form, kinds: [], all: true }, null)).toBe(true);
    expect(isComplete({ ...form, name: ' ' }, null)).toBe(false);
  });
});
