/** The texts of the page in a language, for what cannot depend on English. */

const BUNDLES = ['sign-in', 'jobs', 'overview', 'pages'];

/** By group and key; some are functions. */
export type Words = Record<string, Record<string, string>>;

/** @param language `en`, `de` or `fr` */
export async function wordsOf(language: string): Promise<Words> {
  const locale = new URL(`../../apps/web/src/locales/generated/${language}/`, import.meta.url);
  const bundles = await Promise.all(
    BUNDLES.map((name) => import(new URL(`${name}.bundle.ts`, locale).href)),
  );
  return Object.assign({}, ...bundles);
}
