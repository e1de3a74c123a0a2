/** The tokens of a robot: created, rotated and revoked. */
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import type { MadeToken, NewToken, PersonalToken, Robot } from '@portcullis/contract';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
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
  const tokens = useQuery(ask('robots.listTokens', { params: { id: robot.id } }));
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
        <QueryView query={tokens} rows={3}>
          {(all) =>
            all.length > 0 ? (
              <TokenTable tokens={all} {...changes} />
            ) : (
              <Text c="dimmed">{t.noTokens}</Text>
            )
          }
        </QueryView>
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

const OVERLAPS = ['0', '1', '24', '168'] as const;

interface RotationProps {
  robot: Robot;
  token: PersonalToken;
  onClose(): void;
}

/** Once the new token is shown, only the button closes the dialog. */
function Rotation({ robot, token, onClose }: RotationProps) {
  const t = useMessages('robots');
  const scope = useMessages('tokenScope');
  const { cancel } = useMessages('common');
  const refresh = useRefresh();
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('24');
  const rotate = useMutation({
    mutationFn: () =>
      call('robots.rotateToken', {
        params: { id: robot.id, token_id: token.id },
        body: { overlap_hours: Number(overlap) },
      }),
    onSuccess: refresh,
  });
  const isMade = rotate.data !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.rotateTitle(token.name)}
      closeOnClickOutside={!isMade}
      closeOnEscape={!isMade}
      withCloseButton={!isMade}
    >
      {rotate.data ? (
        <MadeTokenView made={rotate.data} username={robot.name} onClose={onClose} />
      ) : (
        <Stack>
          <Text>{t.rotateText}</Text>
          <FaultAlert error={rotate.error} />
          <Select
            label={t.overlap}
            data={OVERLAPS.map((hours) => ({ value: hours, label: t.overlaps[hours] }))}
            value={overlap}
            allowDeselect={false}
            onChange={(value) => setOverlap(OVERLAPS.find((each) => each === value) ?? overlap)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {cancel}
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
              {scope.rotate}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** Refetches the tokens and their number. */
function useRefresh() {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: keyOf('robots.listTokens') }),
      queries.invalidateQueries(allRobots),
    ]);
  };
}
