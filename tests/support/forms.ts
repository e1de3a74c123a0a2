/** The forms of the page: how each is opened, and which of its fields need certain values. */
import type { Locator, Page } from 'playwright-core';
import { browseTo } from './example-product.ts';
import type { Filling } from './filled-form.ts';
import type { Words } from './page-words.ts';
import { SCENES } from './scenes.ts';

interface Form extends Filling {
  /** Of pages.ts, where it is no scene. */
  on?: string;
  /** Of scenes.ts: it opens the form. */
  scene?: string;
  /** Opens it, where it is neither shown at once nor a scene. */
  act?(page: Page): Promise<unknown>;
  /** Where it is no dialog. */
  within?(page: Page): Locator;
}

const password = 'a sentence is good';
const passwords = { Password: password, 'New password': password };
const conditions = { Conditions: 'ref = main' };

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();
const pressIn = (name: string | RegExp) => (page: Page) => press(page, name);
const form = (page: Page) => page.locator('main form').first();
const sectionOf = (name: string) => (page: Page) =>
  page.locator('main form', { has: page.getByRole('heading', { name }) });

async function openTagMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: item }).click();
}

export const FORMS: Readonly<Record<string, Form>> = {
  'a new account': { scene: 'user-new', texts: passwords },
  'an account': { scene: 'user', texts: passwords },
  'a new group': { scene: 'group-new' },
  'a group': { scene: 'group', kept: ['Add a member'] },
  'a new robot': { scene: 'robot-new' },
  'a robot': { on: 'robots', act: pressIn('Edit: build-ci') },
  'a token': { scene: 'token-new' },
  'a new trust rule': { on: 'robots', act: pressIn('New trust rule'), texts: conditions },
  'a trust rule': { on: 'robots', act: pressIn('Releases of the shop'), texts: conditions },
  'a new folder': { scene: 'folder-new' },
  'a folder': { scene: 'folder-edit' },
  'the mirror of a folder': { scene: 'folder-mirror', texts: { Prefix: 'org' } },
  'the retention of a folder': { scene: 'folder-retention', kept: ['Remove old tags'] },
  'a new registry': { scene: 'registry-new', kept: ['Use TLS', 'Verify the certificate'] },
  'a new webhook': { scene: 'webhook-new' },
  'a webhook': { on: 'webhook', act: pressIn('Edit') },
  'a new policy': { on: 'policies', act: pressIn('New policy') },
  'a policy': { on: 'policy', within: form },
  'a new authority': { on: 'authorities', act: pressIn('New authority') },
  'an authority': { on: 'authorities', act: pressIn('release') },
  'another tag': { on: 'repository', act: (page) => openTagMenu(page, 'Add a tag…') },
  'a copy': { on: 'repository', act: (page) => openTagMenu(page, 'Copy to…') },
  'a push': {
    scene: 'job-push',
    texts: { Image: 'typed-image', Tag: 'typed-tag' },
    kept: ['Why may this image pass?'],
    revealed: 'Why may this image pass?',
  },
  'a waiver': { scene: 'job-review' },
  'an accepted vulnerability': { scene: 'vulnerability-accept' },
  'the e-mail server': { on: 'network', within: sectionOf('E-mail'), kept: ['Security'] },
  'the syslog server': { on: 'network', within: sectionOf('Syslog') },
  'the proxy': { on: 'network', within: sectionOf('Proxy') },
  'single sign-on': { on: 'sign-on', within: form },
  'the scan policy': { on: 'scan', within: form, kept: ['Scan every image'] },
  'the limits of scans': {
    on: 'system',
    within: (page) => page.getByRole('region', { name: 'Limits of scans' }),
  },
  'a schedule': { on: 'schedule', within: form },
  'a transfer': { on: 'plan', within: form },
};

/** Opens the form with this name. */
export async function openForm(
  page: Page,
  pages: Readonly<Record<string, string>>,
  { name, words }: { name: string; words: Words },
): Promise<{ shown: Locator; filling: Filling }> {
  const { scene = '', on = SCENES[scene]?.on ?? '', act, within, ...filling } = FORMS[name] ?? {};
  // Nothing asks whether the form before may be left: a link would.
  await browseTo(page, pages[on] ?? '');
  await SCENES[scene]?.act?.(page, words);
  await act?.(page);
  const shown = within?.(page) ?? page.getByRole('dialog').last().locator('form').first();
  await shown.waitFor();
  return { shown, filling };
}
