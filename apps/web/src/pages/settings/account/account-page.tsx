/** The page of the account: who it is, its password and its tokens. */
import { Group, Stack, Text } from '@mantine/core';
import type { NewToken } from '@portcullis/contract';
import { IconKey } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { FactList, Panel } from '../../../kit/layout/panel.tsx';
import { TokenDialog } from '../../../kit/token/token-dialog.tsx';
import { TokenTable } from '../../../kit/token/token-table.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useAccount } from '../../../session/account.ts';
import { PASSWORD_FOCUSED } from '../../../session/password-path.ts';
import { PasswordForm } from '../../password/password-form.tsx';
import classes from '../settings.module.css';
import { NotificationChoices } from './notification-choices.tsx';

export function Component() {
  const t = useMessages('account');
  const { auth_source } = useAccount();
  const [params] = useSearchParams();
  const focused = params.has(PASSWORD_FOCUSED);
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <div className={classes.columns}>
        <Stack>
          <Tokens />
          <NotificationChoices />
        </Stack>
        <Stack className={classes.side ?? ''}>
          <Who />
          <Panel
            title={t.password}
            description={auth_source === 'local' ? t.passwordLead : t.elsewhere}
          >
            {auth_source === 'local' && <PasswordForm key={String(focused)} focused={focused} />}
          </Panel>
        </Stack>
      </div>
    </>
  );
}

function Who() {
  const t = useMessages('account');
  const { username } = useAccount();
  const rights = useRights();
  return (
    <Panel title={t.who}>
      <FactList
        facts={[
          [t.username, username],
          [t.groups, <Groups key="groups" />],
          [t.rights, rights.map((right) => <div key={right}>{right}</div>)],
        ]}
      />
    </Panel>
  );
}

function Groups() {
  const t = useMessages('account');
  const { groups } = useAccount();
  if (groups.length === 0) return <Text c="dimmed">{t.noGroups}</Text>;
  return (
    <Group gap={6}>
      {groups.map(({ id, name }) => (
        <Badge key={id} tone="unknown">
          {name}
        </Badge>
      ))}
    </Group>
  );
}

function useRights(): string[] {
  const t = useMessages('account');
  const { is_admin, can_bypass_vuln_block, capabilities } = useAccount();
  if (is_admin) return [t.everything];
  const rights = [
    capabilities.push && t.push,
    capabilities.pull_external && t.pullExternal,
    capabilities.push_external && t.pushExternal,
    can_bypass_vuln_block && t.bypass,
  ].filter((right) => right !== false);
  return rights.length > 0 ? rights : [t.nothing];
}

/** The personal tokens of the account. */
function Tokens() {
  const t = useMessages('account');
  const { username } = useAccount();
  const queries = useQueryClient();
  const tokens = useAnswer('tokens.list');
  const [making, setMaking] = useState(false);

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
      actions={<NewButton onClick={() => setMaking(true)}>{t.newToken}</NewButton>}
      flush
    >
      <TokenTable
        tokens={tokens}
        revocation={{ revoke: ({ id }) => call('tokens.remove', { params: { id } }), refresh }}
        empty={<EmptyState icon={IconKey} title={t.emptyTitle} text={t.emptyText} />}
      />
      <TokenDialog
        opened={making}
        username={username}
        create={create}
        onClose={() => setMaking(false)}
      />
    </Panel>
  );
}
