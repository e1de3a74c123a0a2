import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';

/** Copies a text. Also works without TLS, where browsers hide the clipboard API. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useMessages('common');
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const shown = done ? t.copied : (label ?? t.copy);
  return (
    <Tooltip label={shown}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={shown}
        onClick={() => void copyText(text).then(() => setDone(true))}
      >
        {done ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}

export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
