/** Exports the waivers of a folder as an OpenVEX document. */
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';

export function ExportDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useMessages('waivers');
  return (
    <Modal opened={opened} onClose={onClose} title={t.exportTitle}>
      <ExportForm onClose={onClose} />
    </Modal>
  );
}

function ExportForm({ onClose }: { onClose(): void }) {
  const t = useMessages('waivers');
  const { data: pullable = [] } = useAnswer('folders.listPullable');
  const folders = pullable.filter((name) => name !== ROOT_FOLDER);
  const [chosen, setChosen] = useState<string | null>(null);
  const folder = chosen ?? folders[0] ?? null;
  const download = useMutation({
    mutationFn: (name: string) => call('waivers.exportVex', { query: { folder: name } }),
    onSuccess: (document, name) => {
      save(`${name}.openvex.json`, JSON.stringify(document, null, 2));
      onClose();
    },
  });
  return (
    <Stack>
      <Text size="sm">{t.exportText}</Text>
      <Select
        label={t.folder}
        data={folders}
        value={folder}
        onChange={setChosen}
        allowDeselect={false}
      />
      <FaultAlert error={download.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button
          loading={download.isPending}
          disabled={folder === null}
          onClick={() => folder !== null && download.mutate(folder)}
        >
          {t.exportSubmit}
        </Button>
      </Group>
    </Stack>
  );
}

/** Fetched first, so that a refusal is shown here and not downloaded as a file. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
