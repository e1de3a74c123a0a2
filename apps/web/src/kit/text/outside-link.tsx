/** A link to another site, in a new tab. */
import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

/** Only http and https links: other schemes could run scripts. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  if (!/^https?:\/\//.test(href)) return children;
  return (
    <Anchor href={href} target="_blank" rel="noreferrer noopener" size="sm">
      {children} <IconExternalLink size={12} aria-hidden="true" />
    </Anchor>
  );
}
