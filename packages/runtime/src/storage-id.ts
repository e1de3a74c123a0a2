/**
 * Identity of a DATA_DIR: a random id in a file, equal for every process that uses the directory.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { invalid } from '@portcullis/errors';
import { createOnce, readText } from './process/create-once.ts';

const FILE = 'storage-id';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws invalid `STORAGE_ID_INVALID` */
export async function openStorageId(dataDir: string): Promise<string> {
  const file = path.join(dataDir, FILE);
  const id = (await readText(file)) ?? (await createOnce(file, randomUUID));
  if (ID.test(id)) return id;
  throw invalid(
    'STORAGE_ID_INVALID',
    `${file} does not hold the id of a storage: delete the file, and images that are staged in its directory are pulled again`,
  );
}
