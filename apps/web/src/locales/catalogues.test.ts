import { type Contract, contract, faultsOf } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import type { Language } from '../i18n/languages.ts';
import { jobFault } from './generated/en/jobs.bundle.ts';
import { fault } from './generated/en/sign-in.bundle.ts';

/** Texts, or functions that take parameters. */
type Catalogue = { readonly [key: string]: string | ((...args: never[]) => string) | Catalogue };

const FILES = import.meta.glob<Record<string, Catalogue>>('./generated/**/*.bundle.ts', {
  eager: true,
});

function catalogueOf(language: Language): Record<string, Catalogue> {
  const bundles = Object.entries(FILES).filter(([file]) =>
    file.startsWith(`./generated/${language}/`),
  );
  return Object.assign({}, ...bundles.map(([, bundle]) => bundle));
}

const CATALOGUES = { en: catalogueOf('en'), fr: catalogueOf('fr'), de: catalogueOf('de') };

const SOURCES = Object.entries(
  import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
)
  .filter(([file]) => !file.startsWith('./') && !file.endsWith('.test.ts'))
  .map(([, source]) => source);

/** Words that are the same in English. */
const BOTH = [
  'Redis',
  'Trivy',
  'Version 2',
  'TLS',
  'CVSS 2',
  'Docker Hub',
  'Format',
  'Id',
  'Image',
  'Cluster',
  'Images',
  'Label',
  'Labels',
  'Microsoft Teams',
  'Namespace',
  'PKCE',
  'Port',
  'Ports',
  'Proxy',
  'Robot',
  'Slack',
  'Syslog',
  'Version',
  'Version 2, 2',
  'Webhooks',
  'docker, podman, helm',
  'latest',
];
const SAME = {
  fr: [
    ...BOTH,
    '2 jobs',
    'Administration',
    '2 tags',
    'Action',
    'Digest',
    'E-mail',
    'e-mail',
    'push',
    'syslog',
    'session',
    'Tag',
    'tags',
    'Tags',
    'Total',
    'Type',
    '2 blobs',
    '2 images',
    '2 (2 images)',
    'Clusters',
    'Conditions',
    'Configuration',
    'Description',
    'Destination',
    'Instance',
    'Justification',
    'Licences',
    'Menu',
    'Notifications',
    'Options',
    'Production',
    'Quota',
    'Source',
    'Ticket',
    'Transport',
    'Verdict',
    'digest 2',
    'notifications',
    'webhooks',
  ],
  de: [
    ...BOTH,
    'Pulls',
    'Registries: 2',
    'Robots',
    'Tokens',
    'Administrator',
    'Details',
    'MB',
    'GB',
    'TB',
    'Layer',
    'Layer 2',
    'Log',
    'Upload',

    'Digest',
    'Entrypoint',
    'Host',
    'Live',
    'Name',
    'Person',
    'Problem',
    'Pushes',
    'Registries',
    'Registry',
    'Repositories',
    'Repository',
    'Scanner',
    'Scopes',
    'Status',
    'System',
    'Tag',
    'Tags',
    'Ticket',
    'Token',
    'ghcr.io, registry.example.com:5000',
    'team/app',
    '2 in 2',
  ],
};

/** Each text by its key; functions are called with the sample as each parameter. */
function texts(catalogue: Catalogue, prefix = '', sample = '2'): Map<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([key, value]) => {
      const path = prefix === '' ? key : `${prefix}.${key}`;
      if (typeof value === 'object') return [...texts(value, path, sample)];
      const parameters = Array.from({ length: 4 }, () => sample) as never[];
      return [[path, typeof value === 'function' ? value(...parameters) : value] as const];
    }),
  );
}

describe.each(['fr', 'de'] as const)('the messages in %s', (language) => {
  it.each(Object.keys(CATALOGUES.en))('%s: none is left in English', (namespace) => {
    const english = texts(CATALOGUES.en[namespace] ?? {});
    const translated = texts(CATALOGUES[language][namespace] ?? {});
    expect([...translated.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    const same = [...translated].filter(
      ([key, text]) => /\p{L}{2}/u.test(text) && text === english.get(key),
    );
    const unexpected = same.filter(([, text]) => !SAME[language].includes(text));
    expect(unexpected.map(([, text]) => text)).toEqual([]);
  });
});

/** What a header or a command prescribes. */
const VERBATIM = /Authorization: Bearer/g;

/** French sets these off: a no-break space before `:` and inside « », a narrow one before `;?!`. */
const SET_CLOSE = /(?<!\u202f)[;?!](?=\s|$)|(?<!\u00a0):(?=\s|$)|«(?!\u00a0)|(?<!\u00a0)»/;

it.each(Object.entries(CATALOGUES.fr))(
  '%s: the French punctuation has its no-break spaces',
  (_, catalogue) => {
    const shown = ['0', '1', '2'].flatMap((sample) => [...texts(catalogue, '', sample).values()]);
    expect(shown.filter((text) => SET_CLOSE.test(text.replaceAll(VERBATIM, '')))).toEqual([]);
  },
);

/** One, and what is counted in English: at most one adjective before the noun. */
const ONE = /\b1 (?:\p{L}+ )?\p{L}+/gu;
const NO_NOUN = 'decides|exists|has|is|loses|matches|needs|pass|this|was';
const PLURAL = new RegExp(`^1 (?!.*\\b(?:${NO_NOUN})$).*s$`);

/** A value, a space and a message: `{n} {t.images}` or `${number(n)} ${t.severity[each]}`. */
const NUMBER_APART = /\}(?:<\/\w+>)? \{t\.\w+[[}]|(?:number|compact)\(.+?\)\} \$\{/;

/** Where English has two forms and the other language needs one. */
const ONE_FORM = {
  fr: ['batch.summary.present', 'dashboard.scannedOf', 'review.partly', 'waivers.approvals'],
  de: [
    'batch.summary.present',
    'comparison.layerSum',
    'images.layersSum',
    'oidcTest.outcomes.KEYS_FOUND',
    'palette.results',
  ],
};

/** The keys whose text for one has other words than that for two. */
function inflected(language: Language): string[] {
  return Object.entries(CATALOGUES[language]).flatMap(([name, catalogue]) => {
    const many = texts(catalogue, name, '2');
    return [...texts(catalogue, name, '1')]
      .filter(([key, one]) => one.replaceAll('1', '2') !== many.get(key))
      .map(([key]) => key);
  });
}

describe('a counted word', () => {
  it('is singular after one in English', () => {
    const counted = Object.entries(CATALOGUES.en).flatMap(([name, catalogue]) =>
      [...texts(catalogue, name, '1').values()].flatMap((text) => text.match(ONE) ?? []),
    );
    expect(counted.filter((words) => PLURAL.test(words))).toEqual([]);
  });

  it.each(['fr', 'de'] as const)('has the plural in %s that it has in English', (language) => {
    const translated = new Set([...inflected(language), ...ONE_FORM[language]]);
    expect(inflected('en').filter((key) => !translated.has(key))).toEqual([]);
  });

  it.each(['en', 'fr', 'de'] as const)('never has an optional ending in %s', (language) => {
    const shown = Object.values(CATALOGUES[language]).flatMap((each) => [...texts(each).values()]);
    expect(shown.filter((text) => /\p{L}\((?:e|en|es|n|s)\)/u.test(text))).toEqual([]);
  });

  it('is in one message with its number', () => {
    const apart = SOURCES.flatMap((source) => source.split('\n')).filter((line) =>
      NUMBER_APART.test(line),
    );
    expect(apart).toEqual([]);
  });
});

/** A label's colon in a template or between two parts of an element. */
const OWN_COLON = /\}: \$\{|\}:\{' '\}|<\/[\w.]+>: |\{\S[^{}]*\}: \{|\}: `/;

it('a label’s colon comes from the language’s format', () => {
  const written = SOURCES.flatMap((source) => source.split('\n')).filter((line) =>
    OWN_COLON.test(line),
  );
  expect(written).toEqual([]);
});

/** Words for which the page has another one. */
const OTHER_WORDS = {
  fr: /étiquet|empreinte|condensat|hachage/i,
  de: /Sicherheitslücke|Etikett|Fingerabdruck|Prüfsumme|Schicht\b/i,
};

it.each(['fr', 'de'] as const)('one thing has one word in %s', (language) => {
  const shown = Object.values(CATALOGUES[language]).flatMap((each) => [...texts(each).values()]);
  expect(shown.filter((text) => OTHER_WORDS[language].test(text))).toEqual([]);
});

/** Messages that are read by a server's code or by a page's name. */
const READ_BY_NAME = new Set(['fault', 'fieldFault', 'jobFault', 'navigation', 'synonyms']);

/** Read by `<ListView words={t}>`. */
const OF_LISTS = new Set(['more', 'noMatchTitle', 'noMatchText']);

/**
 * Whether a file reads the message: `t.key`, also of `const [t, format] = useWords(…)`,
 * `const { key } = useMessages(…)`, `useMessages(…).key`, or `t.key` in
 * `defineColumns(…, (t) => …)`.
 */
function reads(source: string, namespace: string, key: string): boolean {
  const call = `useMessages\\('${namespace}'\\)`;
  const variables = [
    ...source.matchAll(new RegExp(`(\\w+) = ${call}`, 'g')),
    ...source.matchAll(new RegExp(`\\[(\\w+), \\w+\\] = useWords\\('${namespace}'\\)`, 'g')),
    ...source.matchAll(new RegExp(`(\\w+): Messages\\['${namespace}'\\]`, 'g')),
    ...source.matchAll(new RegExp(`defineColumns\\(\\s*'${namespace}',\\s*\\((\\w+)`, 'g')),
  ].map(([, name]) => name);
  const given = `words=\\{(?:\\{ \\.\\.\\.)?(?:${[...variables, call].join('|')})`;
  if (OF_LISTS.has(key) && new RegExp(given).test(source)) return true;
  const member = `(?:${[...variables, call].join('|')})\\s*\\.${key}\\b`;
  const destructured = `\\{[^{}]*\\b${key}\\b[^{}]*\\} = ${call}`;
  return new RegExp(`${member}|${destructured}`).test(source) || isPassed(source, namespace, key);
}

/** What dialogs of the kit read of the words that they are given as a whole. */
const REMOVAL_WORDS = ['removeTitle', 'removeAction', 'removed'];
const ENTRY_WORDS = ['create', 'created', 'saved', ...REMOVAL_WORDS];

/** Whether a dialog of the kit is given the words and reads the message. */
function isPassed(source: string, namespace: string, key: string): boolean {
  const call = `use(?:Messages|Words)\\('${namespace}'\\)`;
  if (
    !new RegExp(`\\bt(?:, \\w+\\])? = ${call}`).test(source) ||
    !/words=\{(?:t\}|\{ \.\.\.t,)/.test(source)
  )
    return false;
  return (source.includes('<EntryDialog') ? ENTRY_WORDS : REMOVAL_WORDS).includes(key);
}

it.each(Object.entries(CATALOGUES.en).filter(([name]) => !READ_BY_NAME.has(name)))(
  '%s: every message is used',
  (namespace, catalogue) => {
    const readers = SOURCES.filter((source) => source.includes(`'${namespace}'`));
    const unused = Object.keys(catalogue).filter(
      (key) => !readers.some((source) => reads(source, namespace, key)),
    );
    expect(unused).toEqual([]);
  },
);

it.each([
  'DESTINATION_IS_SOURCE',
  'DESTINATION_TWICE',
  'PATTERN_INVALID',
  'PATTERN_TOO_COSTLY',
  'TAGS_MANY',
  'TAG_REQUIRED',
])('has a message for an image that a preview refuses with %s', (code) => {
  expect({ ...fault.codes, ...jobFault }).toHaveProperty(code);
});

/** Of requests that the page never sends. */
const OF_OTHER_CLIENTS = new Set([
  'BODY_UNPARSABLE',
  'CHARSET_UNSUPPORTED',
  'CLUSTERS_MANY',
  'CLUSTER_TAKEN',
  'CLUSTER_UNKNOWN',
  'CREDENTIAL_UNSUPPORTED',
  'CURSOR_INVALID',
  'ENCODING_UNSUPPORTED',
  'IDEMPOTENCY_KEY_INVALID',
  'MEDIA_TYPE_UNSUPPORTED',
  'REPORTER_FORBIDDEN',
  'REQUEST_MALFORMED',
  'TOKEN_SCOPE',
]);

it('has a message for each fault that an operation may answer with', () => {
  const operations = Object.values<Contract>(contract).flatMap((feature) => Object.values(feature));
  const codes = operations.flatMap((operation) => [...faultsOf(operation).values()].flat());
  const left = new Set(codes).difference(OF_OTHER_CLIENTS);
  expect([...left].filter((code) => !Object.hasOwn(fault.codes, code))).toEqual([]);
});
