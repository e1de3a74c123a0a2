/** The personal tokens of the account. */
import { Button } from '@mantine/core';
import type { NewToken } from '@portcullis/contract';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { TokenDialog } from '../../../kit/token/token-dialog.tsx';
import { TokenTable } from '../../../kit/token/token-table.tsx';
import { useAccount } from '../../../session/account.ts';
import { useShortcut } from '../../../shell/shortcuts.ts';

export function Tokens() {
  const t = useMessages('account');
  const { username } = useAccount();
  const queries = useQueryClient();
  const tokens = useQuery(ask('tokens.list'));
  const [making, setMaking] = useState(false);
  useShortcut('n', t.newToken, () => setMaking(true));

  const refresh = () => queries.invalidateQueries({ queryKey: keyOf('tokens.list') });

  async function create(body: NewToken) {
    const made = await call('tokens.create', { body });
    void refresh();
    return made;
  }

  return (
    <Panel
      title={t.tokens}
      description={t.tokensLead}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
          {t.newToken}
        </Button>
      }
      flush
    >
      <QueryView query={tokens} rows={6} rowHeight={47}>
        {(all) =>
          all.length > 0 ? (
            <TokenTable
              tokens={all}
              revocation={{
                revoke: ({ id }) => call('tokens.remove', { params: { id } }),
                refresh,
              }}
            />
          ) : (
            <EmptyState icon={IconKey} title={t.emptyTitle} text={t.emptyText} />
          )
        }
      </QueryView>
      <TokenDialog
        opened={making}
        username={username}
        create={create}
        onClose={() => setMaking(false)}
      />
    </Panel>
  );
}
