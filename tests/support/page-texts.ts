/** The texts of a page, for tests of its languages. */
import type { Page } from 'playwright-core';

/** Every visible or spoken text, except what is marked as English or as code. */
export function texts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const skipped = 'code, pre, [lang="en"], script, style, svg';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const shown = node.parentElement?.checkVisibility() && !node.parentElement.closest(skipped);
      if (shown && node.textContent) found.add(node.textContent.trim());
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title'])
        if (!element.closest(skipped)) found.add(element.getAttribute(name)?.trim() ?? '');
    found.add(document.title.replace(' · Portcullis', ''));
    return [...found];
  });
}

/** Text that is cut off without an ellipsis, a scroll bar or a line break. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, a, label, h1, h2, h3, th, td, legend, p, span')]
      .filter((element) => {
        if (element.textContent.trim() === '') return false;
        const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
        const clips = overflowX === 'hidden' || overflowX === 'clip';
        return (
          clips &&
          textOverflow !== 'ellipsis' &&
          clipPath === 'none' &&
          element.clientWidth > 2 &&
          element.scrollWidth > element.clientWidth + 1
        );
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  );
}

/** Texts that are the same in every language: names, data, and words that English shares. */
export const SHARED =
  /^(?:[^\p{L}]*|\p{L}|Portcullis|admin|dev|developers|team|acme\/.*|team\/shop(?::.*)?|Docker Hub|Images?|Verdict|Digest|Tags?|Registry|Robots|Webhooks|Clusters|eu-1|Tickets|Strict|Every Monday|Registries|Repository|Repositories|System|Scanner|Host|Name|Ports?|Proxy|Syslog|Live|Menu|Notifications|Status|Source|Description|Destination|Options|Format|Token|Labels|Action|Type|Total|E-mail|TLS|Details|Log|Layers?|Upload|Administrator|Jobs?|Pulls|Pushe?s?|\d+ jobs?|\d+ tags?|\+\d+|Session|UTC|English|Français|Deutsch|Supplier.*|.*127\.0\.0\.1.*|.*localhost.*|linux\/.*|CVE-.*|openssl.*|libssl.*|debian.*|trivy.*|docker, podman, helm|latest|Portcullis.*|Version .*|\d+ blobs?|\d+ images?)$/u;
