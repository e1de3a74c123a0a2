/** The tokens of an account or a robot, with what can be done with each. */
import { Button, Group } from '@mantine/core';
import type { PersonalToken } from '@portcullis/contract';
import { useState } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { ConfirmDialog } from '../action/confirm-dialog.tsx';
import table from '../table/table.module.css';
import { RelativeTime } from '../text/relative-time.tsx';
import { Badge } from '../verdict/badge.tsx';
import { useScopeWords } from './scope-words.ts';

interface TokenTableProps {
  tokens: PersonalToken[];
  /** Absent where the caller may not change them. */
  revoke?: { ask(token: PersonalToken): Promise<unknown>; pending: boolean; error: unknown };
  onRotate?(token: PersonalToken): void;
}

export function TokenTable({ tokens, revoke, onRotate }: TokenTableProps) {
  const t = useMessages('account');
  const [doomed, setDoomed] = useState<PersonalToken | null>(null);
  return (
    <>
      <table className={`${table.table} ${table.inner}`}>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.scope}</th>
            <th scope="col">{t.expires}</th>
            <th scope="col">{t.used}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              {...(revoke && { onRevoke: () => setDoomed(token) })}
              {...(onRotate && { onRotate: () => onRotate(token) })}
            />
          ))}
        </tbody>
      </table>
      {revoke && (
        <ConfirmDialog
          opened={doomed !== null}
          onClose={() => setDoomed(null)}
          title={t.revokeTitle(doomed?.name ?? '')}
          action={t.revoke}
          pending={revoke.pending}
          error={revoke.error}
          onConfirm={() =>
            doomed &&
            void revoke.ask(doomed).then(
              () => setDoomed(null),
              () => {},
            )
          }
        >
          {t.revokeText}
        </ConfirmDialog>
      )}
    </>
  );
}

interface TokenRowProps {
  token: PersonalToken;
  onRevoke?(): void;
  onRotate?(): void;
}

function TokenRow({ token, onRevoke, onRotate }: TokenRowProps) {
  const t = useMessages('account');
  const scopes = useMessages('tokenScope');
  const format = useFormat();
  const words = useScopeWords();
  const expired = Date.parse(token.expires_at) < Date.now();
  return (
    <tr>
      <td>
        <strong>{token.name}</strong>
        <span className={table.under}>
          <code>{token.hint}</code>
        </span>
      </td>
      <td data-label={t.scope}>{words(token.scope)}</td>
      <td className={table.quiet} data-label={t.expires}>
        {expired ? <Badge tone="unknown">{t.expired}</Badge> : format.date(token.expires_at)}
      </td>
      <td className={table.quiet} data-label={t.used}>
        {token.last_used_at ? <RelativeTime at={token.last_used_at} /> : t.never}
      </td>
      <td className={table.tools}>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {onRotate && !expired && (
            <Button
              variant="default"
              size="xs"
              onClick={onRotate}
              aria-label={scopes.rotateNamed(token.name)}
            >
              {scopes.rotate}
            </Button>
          )}
          {onRevoke && (
            <Button
              variant="default"
              size="xs"
              onClick={onRevoke}
              aria-label={t.revokeNamed(token.name)}
            >
              {t.revoke}
            </Button>
          )}
        </Group>
      </td>
    </tr>
  );
}
