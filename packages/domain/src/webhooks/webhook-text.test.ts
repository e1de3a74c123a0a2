import { expect, it } from 'vitest';
import { cloudEvent } from './cloud-event.ts';
import { shownWebhookAddress, webhookAddress } from './webhook-address.ts';
import type { WebhookMessage } from './webhook-kinds.ts';
import { webhookBody } from './webhook-text.ts';

const MESSAGE: WebhookMessage = {
  id: 'e1',
  kind: 'image.blocked',
  time: '2026-11-24T02:00:00.000Z',
  subject: 'team/app',
  data: { repository: 'team/app', code: 'VULN_BLOCKED', blocking: ['CVE-1'], grace_until: null },
};
const EVENT = cloudEvent(MESSAGE, 'https://gate.example');
const bodyOf = (format: 'cloudevents' | 'slack' | 'teams', event = EVENT) =>
  JSON.parse(webhookBody(event, format));

it('a message is a CloudEvent with all required attributes', () => {
  expect(bodyOf('cloudevents')).toEqual({
    specversion: '1.0',
    id: 'e1',
    source: 'https://gate.example',
    type: 'io.portcullis.image.blocked',
    subject: 'team/app',
    time: '2026-11-24T02:00:00.000Z',
    datacontenttype: 'application/json',
    data: MESSAGE.data,
  });
});

it('an empty subject is absent, because CloudEvents forbids one', () => {
  expect(cloudEvent({ ...MESSAGE, subject: null }, '/')).not.toHaveProperty('subject');
  expect(cloudEvent({ ...MESSAGE, subject: '' }, '/')).not.toHaveProperty('subject');
});

it('Slack gets a text and blocks, Teams an adaptive card; absent values are left out', () => {
  const slack = bodyOf('slack');
  expect(slack.text).toBe('Image is now blocked by policy: team/app');
  expect(slack.blocks[1].text.text).toBe(
    '• repository: team/app\n• code: VULN_BLOCKED\n• blocking: ["CVE-1"]',
  );
  const { contentType, content } = bodyOf('teams').attachments[0];
  expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
  expect(content.body[1].facts).toHaveLength(3);
});

it('the standing of an image is said in the words of lists', () => {
  const standing = { state: 'blocked', code: 'VULN_BLOCKED', blocking_total: 9, fixable_total: 4 };
  const event = cloudEvent({ ...MESSAGE, data: { repository: 'team/app', standing } }, '/');
  const said = 'standing: blocked · 9 vulnerabilities, 4 of them with a fix';
  expect(bodyOf('slack', event).blocks[1].text.text).toContain(said);
  expect(bodyOf('cloudevents', event).data.standing).toEqual(standing);
});

it('a name mentions no channel in Slack and is no link in Teams', () => {
  const event = cloudEvent({ ...MESSAGE, subject: '<!channel> [a](http://b)' }, '/');
  expect(bodyOf('slack', event).text).toContain('&lt;!channel&gt;');
  expect(bodyOf('teams', event).attachments[0].content.body[0].text).toContain('\\[a\\](');
});

it.each([
  ['that are escaped', '&'.repeat(400)],
  ['of many lines', 'line\n'.repeat(100)],
  ['of pairs of surrogates, after one letter', `a${'😀'.repeat(300)}`],
  ['that are text already', 'x'.repeat(5_000)],
])('values %s stay within the limits of Slack and Teams, and whole', (_, value) => {
  const data = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`value${nth}`, value]));
  const event = cloudEvent({ ...MESSAGE, data }, '/');
  const text: string = bodyOf('slack', event).blocks[1].text.text;
  expect(text.length).toBeLessThanOrEqual(3_000);
  expect(text.replaceAll(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
  const teams = webhookBody(event, 'teams');
  expect(Buffer.byteLength(teams)).toBeLessThanOrEqual(28 * 1024);
  expect(teams + text).not.toMatch(/\\ud[89ab]/i);
  expect(text.isWellFormed()).toBe(true);
});

it.each([
  'ftp://a.example',
  'https://u:p@a.example/',
  'https://a.example/#x',
  'a.example',
  '',
  `https://a.example/${'x'.repeat(2_048)}`,
])('%s is no address of a webhook', (text) => {
  expect(webhookAddress(text)).toBeNull();
});

it.each([
  ['https://a.example/hook?token=secret', 'cloudevents', 'https://a.example/hook?…'],
  ['https://a.example/hook', 'cloudevents', 'https://a.example/hook'],
  ['https://hooks.slack.com/services/T0/B0/secret', 'slack', 'https://hooks.slack.com/…'],
  ['https://x.logic.azure.com/workflows/1?sig=secret', 'teams', 'https://x.logic.azure.com/…'],
] as const)('%s as %s is shown as %s', (text, format, shown) => {
  expect(webhookAddress(text)).not.toBeNull();
  expect(shownWebhookAddress(text, format)).toBe(shown);
});
