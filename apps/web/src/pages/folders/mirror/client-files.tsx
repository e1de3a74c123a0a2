/** The files that make clients read the images of the upstream from the mirror alone. */
import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import type { MirrorConfig } from '@portcullis/contract';
import { MIRROR_CLIENTS, type MirrorClient } from '@portcullis/domain/mirror';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Preformatted } from '../../../kit/text/preformatted.tsx';
import { useUrlPart } from '../../../kit/use-url-part.ts';
import classes from './mirror.module.css';

/** Names of programs are the same in each language. */
const CLIENTS: Record<MirrorClient, string> = {
  containerd: 'containerd, Kubernetes',
  podman: 'Podman, Buildah, Skopeo, CRI-O',
  docker: 'Docker',
  buildkit: 'BuildKit',
};

const HEIGHT = 220;

export function ClientFiles({ folder }: { folder: string }) {
  const t = useMessages('mirror');
  const [read, set] = useUrlPart();
  const client = MIRROR_CLIENTS.find((each) => each === read('client')) ?? 'containerd';
  const config = useAnswer('folders.getMirrorConfig', {
    params: { folder_id: folder },
    query: { client },
  });
  return (
    <Panel title={t.clients} description={t.clientsLead}>
      <Stack gap="sm">
        <ChoiceSelect
          label={t.client}
          names={CLIENTS}
          value={client}
          onChange={(chosen) => set({ client: chosen })}
        />
        {config.data ? (
          <Shown config={config.data} />
        ) : config.isError ? (
          <FaultView error={config.error} retry={() => void config.refetch()} />
        ) : (
          <Skeleton height={HEIGHT} aria-busy="true" />
        )}
      </Stack>
    </Panel>
  );
}

function Shown({ config: { files, commands, limits } }: { config: MirrorConfig }) {
  const t = useMessages('mirror');
  return (
    <>
      {limits.map((limit) => (
        <Alert key={limit} color="yellow" py="xs">
          {t.limits[limit]}
        </Alert>
      ))}
      {files.map(({ path, text }) => (
        <Copied key={path} name={path} text={text} />
      ))}
      <Copied name={files.length === 0 ? t.run : t.thenRun} text={commands.join('\n')} />
      <Dimmed>{t.ownAuthority}</Dimmed>
    </>
  );
}

function Copied({ name, text }: { name: string; text: string }) {
  const t = useMessages('mirror');
  return (
    <div>
      <div className={classes.file}>
        <Text size="sm" fw={580} className={classes.path ?? ''}>
          {name}
        </Text>
        <CopyButton text={text} label={t.copyPart(name)} />
      </div>
      <Preformatted>{text}</Preformatted>
    </div>
  );
}
