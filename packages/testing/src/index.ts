/**
 * Tools of the integration tests: real servers, generated images, and a check for leaked processes
 * and files.
 */

export { json, refusal } from './answers.ts';
export { processEnv, testCacheDir, testEnv } from './config.ts';
export { type BboltBucket, bboltFile } from './content/bbolt-file.ts';
export { streamDown, streamUp } from './content/blob-stream.ts';
export { type Certificate, makeCertificate } from './content/certificate.ts';
export { epssFile, kevFile } from './content/feeds.ts';
export {
  type ArtifactOptions,
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  sha256,
  type TestBlob,
  type TestImage,
} from './content/image.ts';
export { jar, mavenJar } from './content/jar.ts';
export { everything, writeLayout } from './content/layout.ts';
export { fetchManifest, pushBlob, pushImage } from './content/push-image.ts';
export * from './content/recipes.ts';
export { rpmDatabase } from './content/rpm-database.ts';
export { type Files, type Links, randomFiles, tar } from './content/tar.ts';
export {
  serveJavaDb,
  serveVulnerabilityDb,
  WIDGET_JAR,
} from './content/vulnerability-db.ts';
export { eventually, PATIENCE_MS, pace, past, slowness } from './eventually.ts';
export { everyItem } from './every-item.ts';
export { unshared, within } from './namespaces.ts';
export {
  type CiIssuer,
  githubClaims,
  gitlabClaims,
  startCiIssuer,
} from './servers/ci-issuer.ts';
export { createDatabase, type TestDatabase } from './servers/database.ts';
export {
  type KubernetesReply,
  type KubernetesServer,
  startKubernetes,
} from './servers/kubernetes.ts';
export { listeningOf } from './servers/listening.ts';
export {
  startOidcProvider,
  type TestOidcProvider,
} from './servers/oidc-provider.ts';
export {
  type ReceivedSpan,
  startCollector,
  type TestCollector,
} from './servers/otlp-collector.ts';
export { startPooler } from './servers/pooler.ts';
export { startPostgres } from './servers/postgres.ts';
export { type LossyRedis, startLossyRedis, startRedis } from './servers/redis.ts';
export { startConfiguredRedis, startWatchedRedis } from './servers/redis-configured.ts';
export { startRegistry, type TestRegistry } from './servers/registry.ts';
export {
  pinnedVersion,
  startRegistryProgram,
} from './servers/registry-program.ts';
export { startS3, type TestS3 } from './servers/s3.ts';
export type { TestServer } from './servers/server.ts';
export { type ReceivedMail, type SmtpOptions, startSmtp, type TestSmtp } from './servers/smtp.ts';
export {
  type SyslogFields,
  startSyslog,
  type TestSyslog,
} from './servers/syslog.ts';
export { checkTraefikFile } from './servers/traefik.ts';
export { openSql } from './sql.ts';
export { type TemporaryDir, temporaryDir } from './temporary.ts';
export { openBrowser } from './tools/browser.ts';
export { startBuildkit } from './tools/buildkit.ts';
export { type ComposeProject, readCompose } from './tools/compose.ts';
export {
  conformanceBinary,
  runConformance,
} from './tools/conformance.ts';
export { type ContainerTools, containerTools } from './tools/container-tools.ts';
export { type DockerEngine, dockerEngine } from './tools/docker-engine.ts';
export { go } from './tools/go.ts';
export { goProgram } from './tools/go-program.ts';
export {
  type KubernetesTools,
  kubernetesTools,
} from './tools/kubernetes-tools.ts';
export { promtool } from './tools/promtool.ts';
export { validateOpenApi, yamllint } from './tools/python.ts';
export {
  type RegistryClients,
  registryClients,
} from './tools/registry-clients.ts';
export { skopeo } from './tools/skopeo.ts';
export { testTrivy } from './tools/trivy.ts';
