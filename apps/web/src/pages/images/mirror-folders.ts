/** Which folders are mirrors, of those about whose images the account may ask. */
import { useMemo } from 'react';
import { useAnswer } from '../../api/api.ts';

/** No account pushes to a mirror; empty until known. */
export function useMirrorFolders(): ReadonlySet<string> {
  const { data: askable } = useAnswer('folders.listAskable');
  const { data: pushable } = useAnswer('folders.listPushable');
  return useMemo(
    () => new Set(pushable && askable?.filter((name) => !pushable.includes(name))),
    [askable, pushable],
  );
}
