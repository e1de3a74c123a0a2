/** The tokens of a robot: created, rotated and revoked. */
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import type { MadeToken, NewToken, PersonalToken, Robot } from '@portcullis/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { MadeTokenView } from '../../../kit/token/made-token.tsx';
import { TokenDialog } from '../../../kit/token/token-dialog.tsx';
import { TokenTable } from '../../../kit/token/token-table.tsx';
import { allRobots } from '../all-entries.ts';

type Step = { what: 'list' | 'new' } | { what: 'rotate'; token: PersonalToken };

export function RobotTokens({ robot, onClose }: { robot: Robot; onClose(): void }) {
  const [step, setStep] = useState<Step>({ what: 'list' });
  const refresh = useRefresh();
  const back = () => setStep({ what: 'list' });

  async function create(body: NewToken): Promise<MadeToken> {
    const made = await call('robots.createToken', { params: { id: robot.id }, body });
    await refresh();
    return made;
  }

  if (step.what === 'new')
    return <TokenDialog opened username={robot.name} create={create} onClose={back} />;
  if (step.what === 'rotate') return <Rotation robot={robot} token={step.token} onClose={back} />;
  return <TokenList robot={robot} onClose={onClose} onStep={setStep} />;
}

interface TokenListProps {
  robot: Robot;
  onClose(): void;
  onStep(step: Step): void;
}

function TokenList({ robot, onClose, onStep }: TokenListProps) {
  const t = useMessages('robots');
  const tokens = useAnswer('robots.listTokens', { params: { id: robot.id } });
  const refresh = useRefresh();
  const changes = robot.manageable && {
    revocation: {
      revoke: ({ id }: PersonalToken) =>
        call('robots.removeToken', { params: { id: robot.id, token_id: id } }),
      refresh,
    },
    onRotate: (token: PersonalToken) => onStep({ what: 'rotate', token }),
  };
  return (
    <Modal opened onClose={onClose} title={t.tokensOf(robot.name)} size="xl">
      <Stack>
        <TokenTable tokens={tokens} {...changes} empty={<Text c="dimmed">{t.noTokens}</Text>} />
        {robot.manageable ? (
          <Group justify="flex-end">
            <Button leftSection={<IconPlus size={16} />} onClick={() => onStep({ what: 'new' })}>
              {t.newToken}
            </Button>
          </Group>
        ) : (
          <Text c="dimmed">{t.notManageable}</Text>
        )}
      </Stack>
    </Modal>
  );
}

const OVERLAPS = [0, 1, 24, 168] as const;

interface RotationProps {
  robot: Robot;
  token: PersonalToken;
  onClose(): void;
}

function Rotation({ robot, token, onClose }: RotationProps) {
  const t = useMessages('robots');
  const scope = useMessages('tokenScope');
  const params = { id: robot.id, token_id: token.id };
  return (
    <FormDialog
      title={t.rotateTitle(token.name)}
      operation="robots.rotateToken"
      first={{ overlap_hours: 24 }}
      send={(body) => call('robots.rotateToken', { params, body })}
      lists={TOKEN_LISTS}
      action={scope.rotate}
      result={{
        view: (made) => <MadeTokenView made={made} username={robot.name} />,
      }}
      onClose={onClose}
    >
      {({ value, set }) => (
        <>
          <Text>{t.rotateText}</Text>
          <Select
            label={t.overlap}
            data={OVERLAPS.map((hours) => ({ value: String(hours), label: t.overlaps[hours] }))}
            value={String(value.overlap_hours)}
            onChange={(hours) => set({ overlap_hours: Number(hours) })}
            allowDeselect={false}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The tokens and their number. */
const TOKEN_LISTS = [keyOf('robots.listTokens'), allRobots.queryKey];

function useRefresh() {
  const queries = useQueryClient();
  return () => Promise.all(TOKEN_LISTS.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
