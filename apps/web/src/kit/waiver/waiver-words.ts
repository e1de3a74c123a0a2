/** A waiver in words: its scope, its approvers, its end. */
import type { Waiver } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';

type Scope = Pick<Waiver, 'package' | 'folder' | 'repository' | 'digest'>;

const DIGEST_CHARACTERS = 19;

/** "package openssl and folder team"; every term has to match. */
export function useScopeText(): (scope: Scope) => string {
  const t = useMessages('waiverWords');
  const format = useFormat();
  return ({ package: name, folder, repository, digest }) => {
    const parts = [
      name !== null && t.package(name),
      folder !== null && t.folder(folder),
      repository !== null && t.repository(repository),
      digest !== null && t.digest(`${digest.slice(0, DIGEST_CHARACTERS)}…`),
    ].filter((part) => part !== false);
    return parts.length === 0 ? t.everywhere : format.list(parts);
  };
}
