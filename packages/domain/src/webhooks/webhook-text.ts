/** A CloudEvent as a message for Slack and for Microsoft Teams, and as the body of a delivery. */
import { EVENT_STANDING, standingIn } from '../standing/event-standing.ts';
import { standingText } from '../standing/standing-text.ts';
import { type CloudEvent, kindOfType } from './cloud-event.ts';
import type { WebhookFormat, WebhookMessage } from './webhook-kinds.ts';

const TITLES: Record<WebhookMessage['kind'], string> = {
  'job.pulled': 'Image pulled',
  'job.scanned': 'Image scanned',
  'job.blocked': 'Image blocked by policy',
  'job.pushed': 'Image pushed',
  'job.failed': 'Job failed',
  'image.pushed': 'Image pushed',
  'image.blocked': 'Image is now blocked by policy',
  'image.cleared': 'Image is no longer blocked',
  'vulnerability.appeared': 'New vulnerability',
  'mirror.last_good': 'Mirror holds a newer image back',
  'transfer.finished': 'Transfer finished',
  'waiver.requested': 'Waiver requested',
  'waiver.approved': 'Waiver approved',
  'waiver.rejected': 'Waiver rejected',
  'waiver.revoked': 'Waiver revoked',
  'waiver.ending': 'Waivers expire soon',
  'waiver.expired': 'Waiver expired',
  'review.requested': 'Review requested',
  'review.commented': 'Comment on a review request',
  'review.decided': 'Review decided',
  'review.withdrawn': 'Review request withdrawn',
  'review.expired': 'Review request expired',
  'review.push_refused': 'Push after an approval refused',
  'webhook.test': 'Test message',
};

const MOST_FACTS = 10;
const LONGEST_FACT = 300;

interface Shown {
  title: string;
  facts: { name: string; value: string }[];
}

/** The bytes that are signed and sent, as text. */
export function webhookBody(event: CloudEvent, format: WebhookFormat): string {
  if (format === 'cloudevents') return JSON.stringify(event);
  const shown = shownOf(event);
  return JSON.stringify(format === 'slack' ? slackMessage(shown) : teamsMessage(shown));
}

export function webhookContentType(format: WebhookFormat): string {
  return format === 'cloudevents' ? 'application/cloudevents+json' : 'application/json';
}

function shownOf({ type, subject, data }: CloudEvent): Shown {
  const kind = kindOfType(type);
  const [, title] = Object.entries(TITLES).find(([each]) => each === kind) ?? [];
  const standing = standingIn(data);
  const said = standing && { [EVENT_STANDING]: standingText(standing) };
  const facts = Object.entries({ ...data, ...said })
    .filter(([, value]) => value !== null && value !== '')
    .slice(0, MOST_FACTS)
    .map(([name, value]) => ({ name: name.replaceAll('_', ' '), value: factText(value) }));
  return { title: [title ?? kind, subject].filter(Boolean).join(': '), facts };
}

function factText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_FACT ? `${beginning(text, LONGEST_FACT)}…` : text;
}

/** Receivers refuse half of a pair of surrogates, and then the whole message. */
function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
function slackMessage({ title, facts }: Shown) {
  const lines = facts.map(({ name, value }) => `• ${name}: ${slackText(value)}`);
  const block = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const body = fitting(lines).join('\n');
  const blocks = [block(`*${slackText(title)}*`), ...(body === '' ? [] : [block(body)])];
  return { text: slackText(title), blocks };
}

/** The limit of Slack for the text of a section; beyond it, the message is refused. */
const SLACK_BLOCK = 3_000;

/** Whole lines alone: a character that is escaped must not be cut. */
function fitting(lines: readonly string[]): string[] {
  let left = SLACK_BLOCK;
  return lines.filter((line) => {
    left -= line.length + 1;
    return left >= 0;
  });
}

/** A name must not mention a channel or become a link. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An adaptive card, which the workflows of Teams accept. */
function teamsMessage({ title, facts }: Shown) {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: teamsText(title), weight: 'Bolder', size: 'Medium', wrap: true },
      {
        type: 'FactSet',
        facts: facts.map(({ name, value }) => ({ title: name, value: teamsText(value) })),
      },
    ],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

/** The text of a card is Markdown: a name must not become a link. */
function teamsText(text: string): string {
  return text.replaceAll(/[\\[\]*_`]/g, (mark) => `\\${mark}`);
}
