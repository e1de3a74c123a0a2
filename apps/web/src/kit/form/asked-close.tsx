/** Closing a dialog whose form has unsaved changes: asks before it discards them. */
import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SideDrawer, type SideDrawerProps } from '../layout/side-drawer.tsx';
import { loadedPart } from '../loaded-part.tsx';
import { hasUnsavedDialog, useUnsaved } from './unsaved.ts';

const LeaveDialog = loadedPart(() => import('../action/leave-dialog.tsx'));

interface AskedClose {
  /** Closes at once without changes. */
  close(): void;
  /** While it asks, keys and clicks are for the question. */
  isAsking: boolean;
  /** To be rendered beside the dialog. */
  question: ReactNode;
}

function useAskedClose(onClose: () => void): AskedClose {
  const [isAsking, setAsking] = useState(false);
  const stay = () => setAsking(false);
  function leave(): void {
    setAsking(false);
    onClose();
  }
  return {
    close: () => (hasUnsavedDialog() ? setAsking(true) : onClose()),
    isAsking,
    question: isAsking && <LeaveDialog onStay={stay} onLeave={leave} />,
  };
}

interface Asked {
  /** False: only what it contains closes it. */
  closable?: boolean;
  /** @param close asks, as Escape does */
  children(close: () => void): ReactNode;
}

/** A dialog with a form, which calls `useChanged`. */
export function AskedModal(props: Omit<ModalProps, 'children'> & Asked) {
  const { closable = true, children, onClose, ...modal } = props;
  const { close, isAsking, question } = useAskedClose(onClose);
  return (
    <>
      <Modal
        {...modal}
        onClose={close}
        closeOnClickOutside={closable}
        closeOnEscape={closable && !isAsking}
        withCloseButton={closable}
      >
        {children(close)}
      </Modal>
      {question}
    </>
  );
}

/** The same at the right side. */
export function AskedDrawer(props: Omit<SideDrawerProps, 'children' | 'isBelow'> & Asked) {
  const { children, onClose, ...drawer } = props;
  const { close, isAsking, question } = useAskedClose(onClose);
  return (
    <>
      <SideDrawer {...drawer} onClose={close} isBelow={isAsking}>
        {children(close)}
      </SideDrawer>
      {question}
    </>
  );
}

/**
 * Notes that the form differs from how it was opened.
 * @returns forgets that at once, for a form that was saved while its dialog still closes
 */
export function useChanged(form: object): () => void {
  const text = JSON.stringify(form);
  const [first] = useState(text);
  return useUnsaved(text !== first, 'dialog');
}
