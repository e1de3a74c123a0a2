/**
 * The page's messages. A language is loaded alone and in bundles, so that the sign-in page,
 * the list of jobs and the overview wait for no other page's text. English defines the type.
 */
import { createContext, use, useContext } from 'react';
import type { Language } from './languages.ts';

type SignInMessages = typeof import('../locales/en/sign-in.bundle.ts');
type JobsMessages = typeof import('../locales/en/jobs.bundle.ts');
type OverviewMessages = typeof import('../locales/en/overview.bundle.ts');
type PagesMessages = typeof import('../locales/en/pages.bundle.ts');
export type Messages = SignInMessages & JobsMessages & OverviewMessages & PagesMessages;

type Loader<T> = Record<Language, () => Promise<T>>;

const signIn: Loader<SignInMessages> = {
  en: () => import('../locales/en/sign-in.bundle.ts'),
  fr: () => import('../locales/fr/sign-in.bundle.ts'),
  de: () => import('../locales/de/sign-in.bundle.ts'),
};
const jobs: Loader<JobsMessages> = {
  en: () => import('../locales/en/jobs.bundle.ts'),
  fr: () => import('../locales/fr/jobs.bundle.ts'),
  de: () => import('../locales/de/jobs.bundle.ts'),
};
const overview: Loader<OverviewMessages> = {
  en: () => import('../locales/en/overview.bundle.ts'),
  fr: () => import('../locales/fr/overview.bundle.ts'),
  de: () => import('../locales/de/overview.bundle.ts'),
};
const pages: Loader<PagesMessages> = {
  en: () => import('../locales/en/pages.bundle.ts'),
  fr: () => import('../locales/fr/pages.bundle.ts'),
  de: () => import('../locales/de/pages.bundle.ts'),
};

type FieldFaultMessages = typeof import('../locales/en/field-faults/field-faults.bundle.ts');
const fieldFaults: Loader<FieldFaultMessages> = {
  en: () => import('../locales/en/field-faults/field-faults.bundle.ts'),
  fr: () => import('../locales/fr/field-faults/field-faults.bundle.ts'),
  de: () => import('../locales/de/field-faults/field-faults.bundle.ts'),
};

const BUNDLES = { signIn, jobs, overview, pages };
type Bundle = keyof typeof BUNDLES;

type OutsidePages = keyof SignInMessages | keyof JobsMessages | keyof OverviewMessages;

const OUTSIDE_PAGES: Readonly<Record<OutsidePages, Bundle>> = {
  common: 'signIn',
  fault: 'signIn',
  session: 'signIn',
  bulk: 'jobs',
  filters: 'jobs',
  jobFault: 'jobs',
  navigation: 'jobs',
  shell: 'jobs',
  staging: 'jobs',
  table: 'jobs',
  verdict: 'jobs',
  dashboard: 'overview',
  setup: 'overview',
  start: 'overview',
};

const loading = new Map<string, Promise<Partial<Messages>>>();

function loadBundle(language: Language, bundle: Bundle): Promise<Partial<Messages>> {
  const key = `${language}/${bundle}`;
  const known = loading.get(key);
  if (known) return known;
  const promise: Promise<Partial<Messages>> = BUNDLES[bundle][language]();
  loading.set(key, promise);
  promise.then(
    // React reads these two, and then does not suspend for a promise that was awaited before.
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    () => loading.delete(key),
  );
  return promise;
}

export function loadSignInMessages(language: Language): Promise<unknown> {
  return loadBundle(language, 'signIn');
}

export function loadJobsMessages(language: Language): Promise<unknown> {
  return loadBundle(language, 'jobs');
}

export function loadAllMessages(language: Language): Promise<unknown> {
  return Promise.all([
    loadBundle(language, 'signIn'),
    loadBundle(language, 'jobs'),
    loadBundle(language, 'pages'),
  ]);
}

/** For faults of fields, which may also be denials; loaded with the first one. */
export async function loadFieldFaults(
  language: Language,
): Promise<Readonly<Record<string, string>>> {
  const [{ fault }, { fieldFault }] = await Promise.all([
    signIn[language](),
    fieldFaults[language](),
  ]);
  return { ...fault.codes, ...fieldFault };
}

export const LanguageContext = createContext<Language>('en');

/**
 * Suspends until the messages are loaded. `use` is called in each render: React replays a suspended
 * component, and its later hooks fail where the replay leaves `use` out (React error 467).
 */
export function useMessages<N extends keyof Messages>(namespace: N): Messages[N] {
  const language = useContext(LanguageContext);
  const bundle = isOutsidePages(namespace) ? OUTSIDE_PAGES[namespace] : 'pages';
  const messages: Partial<Messages> = use(loadBundle(language, bundle));
  const found: Messages[N] | undefined = messages[namespace];
  if (found === undefined) throw new Error(`no messages for ${namespace} in ${bundle}`);
  return found;
}

function isOutsidePages(namespace: string): namespace is keyof typeof OUTSIDE_PAGES {
  return Object.hasOwn(OUTSIDE_PAGES, namespace);
}
