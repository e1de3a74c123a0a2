/** The acts about a vulnerability that blocks images: to ask for reviews, or to accept the risk. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { VulnerabilityDetail } from '@portcullis/contract';
import { IconShieldCheck } from '@tabler/icons-react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { loadedPart } from '../../../kit/loaded-part.tsx';
import { useAccount } from '../../../session/account.ts';
import { isReviewer } from '../../waivers/reviewer.ts';
import { askedImages, blockedFolders } from './asked-images.ts';

const AskDialog = loadedPart(() => import('./ask-dialog.tsx'));
const AcceptDialog = loadedPart(() => import('./accept-dialog.tsx'));

interface ExposureActsProps {
  id: string;
  pages: readonly VulnerabilityDetail[];
}

export function ExposureActs({ id, pages }: ExposureActsProps) {
  const t = useMessages('asking');
  const reviews = isReviewer(useAccount());
  const { data: askable = [] } = useAnswer('folders.listAskable');
  const [opened, { open, close }] = useDisclosure();
  const folders = blockedFolders(pages);
  const isOffered = reviews ? folders.length > 0 : askedImages(pages, askable).length > 0;
  if (!isOffered) return null;
  return (
    <>
      <Button leftSection={<IconShieldCheck size={16} />} onClick={open}>
        {reviews ? t.acceptOpen : t.askOpen}
      </Button>
      {opened && !reviews && <AskDialog id={id} onClose={close} />}
      {opened && reviews && <AcceptDialog id={id} folders={folders} onClose={close} />}
    </>
  );
}
