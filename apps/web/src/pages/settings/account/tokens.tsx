import { Button } from '@mantine/core';
import type { PersonalToken } from '@portcullis/contract';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call, keyOf } from '../../../api/api.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { TokenDialog } from './token-dialog.tsx';

export function Tokens() {
  const t = useMessages('account');
  const tokens = useQuery(ask('tokens.list'));
  const [making, setMaking] = useState(false);
  useShortcut('n', t.newToken, () => setMaking(true));
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t.newToken}
    </Button>
  );
  return (
    <Panel
      title={t.tokens}
      description={t.tokensLead}
      actions={tokens.data?.length ? button : null}
      flush
    >
      <QueryView query={tokens} rows={3}>
        {(all) =>
          all.length > 0 ? (
            <TokenTable tokens={all} />
          ) : (
            <EmptyState icon={IconKey} title={t.emptyTitle} text={t.emptyText}>
              {button}
            </EmptyState>
          )
        }
      </QueryView>
      <TokenDialog opened={making} onClose={() => setMaking(false)} />
    </Panel>
  );
}

function TokenTable({ tokens }: { tokens: PersonalToken[] }) {
  const t = useMessages('account');
  const [doomed, setDoomed] = useState<PersonalToken | null>(null);
  const revoke = useRevoke(() => setDoomed(null));
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
            <TokenRow key={token.id} token={token} onRevoke={() => setDoomed(token)} />
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        opened={doomed !== null}
        onClose={() => setDoomed(null)}
        title={t.revokeTitle(doomed?.name ?? '')}
        action={t.revoke}
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => doomed && revoke.mutate(doomed)}
      >
        {t.revokeText}
      </ConfirmDialog>
    </>
  );
}

function TokenRow({ token, onRevoke }: { token: PersonalToken; onRevoke(): void }) {
  const t = useMessages('account');
  const format = useFormat();
  const expired = Date.parse(token.expires_at) < Date.now();
  return (
    <tr>
      <td>
        <strong>{token.name}</strong>
        <span className={table.under}>
          <code>{token.hint}</code>
        </span>
      </td>
      <td>{t.scopes[token.scope]}</td>
      <td className={table.quiet} data-label={t.expires}>
        {expired ? <Badge tone="unknown">{t.expired}</Badge> : format.date(token.expires_at)}
      </td>
      <td className={table.quiet} data-label={t.used}>
        {token.last_used_at ? <RelativeTime at={token.last_used_at} /> : t.never}
      </td>
      <td className={table.tools}>
        <Button
          variant="default"
          size="xs"
          onClick={onRevoke}
          aria-label={t.revokeNamed(token.name)}
        >
          {t.revoke}
        </Button>
      </td>
    </tr>
  );
}

function useRevoke(onDone: () => void) {
  const t = useMessages('account');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: PersonalToken) => call('tokens.remove', { params: { id } }),
    onSuccess: async (_, { name }) => {
      await queries.invalidateQueries({ queryKey: keyOf('tokens.list') });
      notices.done(t.revoked(name));
      onDone();
    },
  });
}
