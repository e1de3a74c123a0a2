/** Which folders decide alike about an image, so that it is judged once for all of them. */
import { matchesPath } from '@portcullis/domain';
import type { GateRules } from './rules.ts';

interface Rules extends Pick<GateRules, 'policyOf' | 'waivers'> {
  /** The name that the image would have in the folder. */
  repositoryIn(folder: string): string;
}

/** In the order of the folders. */
export function alikeFolders(folders: readonly string[], rules: Rules): string[][] {
  // Waivers of all folders and repositories apply everywhere.
  const limited = rules.waivers.filter(
    ({ folder, repository }) => folder !== null || repository !== null,
  );
  const keyOf = (folder: string) => {
    const path = rules.repositoryIn(folder);
    const own = limited.filter(
      (waiver) =>
        (waiver.folder === null || waiver.folder === folder) &&
        (waiver.repository === null || matchesPath(waiver.repository, path)),
    );
    const { id: policyId, signatures } = rules.policyOf({ folder });
    const asked = signatures.map(({ images }) => matchesPath(images, path));
    return JSON.stringify([policyId, asked, own.map(({ id }) => id)]);
  };
  return [...Map.groupBy(folders, keyOf).values()];
}
