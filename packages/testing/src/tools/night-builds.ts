/** What the tests of the night build from source, so that no test has to wait for it. */
import { conformanceBinary } from './conformance.ts';
import { GO_PROGRAMS, type GoProgram, goProgram } from './go-program.ts';
import { kubernetesTools } from './kubernetes-tools.ts';
import { registryClients } from './registry-clients.ts';

const PROGRAMS = (Object.keys(GO_PROGRAMS) as GoProgram[])
  .filter((name) => name !== 'docker-compose') // of the tests on containers alone
  .map((name): [string, () => Promise<unknown>] => [name, () => goProgram(name)]);

export const NIGHT_BUILDS: ReadonlyMap<string, () => Promise<unknown>> = new Map([
  ...PROGRAMS,
  ['helm and kubeconform', kubernetesTools],
  ['crane and regctl', registryClients],
  ['the conformance tests', conformanceBinary],
]);
