/** For tests only: an HTTP client with a cookie jar that does not follow redirects by itself. */
import type { TestOidcProvider } from '@portcullis/testing';

export interface Page {
  status: number;
  url: string;
  /** The redirect's address; null for a page. */
  location: string | null;
  cookies: string[];
  text: string;
}

export class Browser {
  readonly #jars = new Map<string, Map<string, string>>();

  async go(url: string, form?: Record<string, string>): Promise<Page> {
    const jar = this.jarOf(url);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        accept: 'text/html,*/*;q=0.8',
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const cookies = response.headers.getSetCookie();
    for (const cookie of cookies) store(jar, cookie);
    const location = response.headers.get('location');
    const text = await response.text();
    return {
      status: response.status,
      url,
      cookies,
      text,
      location: location && new URL(location, url).href,
    };
  }

  jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }
}

function store(jar: Map<string, string>, cookie: string): void {
  const [pair = ''] = cookie.split(';', 1);
  const equals = pair.indexOf('=');
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
  if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
  else jar.set(name, value);
}

/** Follows the provider's pages up to the redirect back to us. */
export async function atProvider(
  browser: Browser,
  start: string,
  { provider, form }: { provider: TestOidcProvider; form: Record<string, string> },
): Promise<string> {
  let page = await browser.go(start);
  for (let hops = 0; hops < 10; hops++) {
    if (page.location && !page.location.startsWith(provider.issuer)) return page.location;
    page = page.location ? await browser.go(page.location) : await browser.go(page.url, form);
  }
  throw new Error(`the provider doesn't lead back: ${page.status} ${page.text}`);
}
