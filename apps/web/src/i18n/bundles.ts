/**
 * Loads the page's messages. A language is loaded alone and in bundles, so that the sign-in page,
 * the list of jobs and the overview wait for no other page's text. The modules are generated from
 * the JSON files of src/locales, of which English defines the type.
 */
import type { Language } from './languages.ts';

type SignInMessages = typeof import('../locales/generated/en/sign-in.bundle.ts');
type JobsMessages = typeof import('../locales/generated/en/jobs.bundle.ts');
type OverviewMessages = typeof import('../locales/generated/en/overview.bundle.ts');
type PagesMessages = typeof import('../locales/generated/en/pages.bundle.ts');
type FieldFaultMessages = typeof import('../locales/generated/en/field-faults.bundle.ts');
export type Messages = SignInMessages &
  JobsMessages &
  OverviewMessages &
  PagesMessages &
  FieldFaultMessages;

type Loader<T> = Record<Language, () => Promise<T>>;

const signIn: Loader<SignInMessages> = {
  en: () => import('../locales/generated/en/sign-in.bundle.ts'),
  fr: () => import('../locales/generated/fr/sign-in.bundle.ts'),
  de: () => import('../locales/generated/de/sign-in.bundle.ts'),
};
const jobs: Loader<JobsMessages> = {
  en: () => import('../locales/generated/en/jobs.bundle.ts'),
  fr: () => import('../locales/generated/fr/jobs.bundle.ts'),
  de: () => import('../locales/generated/de/jobs.bundle.ts'),
};
const overview: Loader<OverviewMessages> = {
  en: () => import('../locales/generated/en/overview.bundle.ts'),
  fr: () => import('../locales/generated/fr/overview.bundle.ts'),
  de: () => import('../locales/generated/de/overview.bundle.ts'),
};
const pages: Loader<PagesMessages> = {
  en: () => import('../locales/generated/en/pages.bundle.ts'),
  fr: () => import('../locales/generated/fr/pages.bundle.ts'),
  de: () => import('../locales/generated/de/pages.bundle.ts'),
};
const fieldFaults: Loader<FieldFaultMessages> = {
  en: () => import('../locales/generated/en/field-faults.bundle.ts'),
  fr: () => import('../locales/generated/fr/field-faults.bundle.ts'),
  de: () => import('../locales/generated/de/field-faults.bundle.ts'),
};

const BUNDLES = { 'sign-in': signIn, jobs, overview, pages, 'field-faults': fieldFaults };
type Bundle = keyof typeof BUNDLES;

const loading = new Map<string, Promise<Partial<Messages>>>();

export function loadBundle(language: Language, bundle: Bundle): Promise<Partial<Messages>> {
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
  return loadBundle(language, 'sign-in');
}

/** The pages that a session begins with have bundles without the words of all others. */
const FIRST_PAGES: Partial<Record<string, readonly Bundle[]>> = {
  '/': ['jobs', 'overview'],
  '/dashboard': ['jobs', 'overview'],
  '/staging': ['jobs'],
};

/** What the page at this path shows at first. */
export function loadMessagesOf(pathname: string, language: Language): Promise<unknown> {
  const bundles = FIRST_PAGES[pathname];
  if (!bundles) return loadAllMessages(language);
  return Promise.all(bundles.map((bundle) => loadBundle(language, bundle)));
}

export function loadAllMessages(language: Language): Promise<unknown> {
  const bundles = ['sign-in', 'jobs', 'pages'] as const;
  return Promise.all(bundles.map((bundle) => loadBundle(language, bundle)));
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
