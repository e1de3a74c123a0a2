/** For tests only: real servers, images made on the spot, and a guard against what a test leaves behind. */
export { type BlobEnd, streamDown, streamUp } from './blob-stream.ts';
export { openBrowser } from './browser.ts';
export { type Certificate, makeCertificate } from './certificate.ts';
export { type ComposeProject, type ComposeService, readCompose } from './compose.ts';
export { testCacheDir, testEnv } from './config.ts';
export {
  CONFORMANCE_BUILD_MS,
  type ConformanceReport,
  type ConformanceRun,
  conformanceBinary,
  runConformance,
} from './conformance.ts';
export { type ContainerTools, containerTools } from './container-tools.ts';
export { createDatabase, type TestDatabase } from './database.ts';
export { type GoCall, go } from './go.ts';
export {
  type ArtifactOptions,
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  type ImageOptions,
  sha256,
  type TestBlob,
  type TestImage,
} from './image.ts';
export { jar, mavenJar } from './jar.ts';
export { KUBERNETES_TOOLS_BUILD_MS, type KubernetesTools, kubernetesTools } from './kubernetes-tools.ts';
export { everything, writeLayout } from './layout.ts';
export { listeningOf } from './listening.ts';
export {
  type OidcClaims,
  type OidcProviderOptions,
  startOidcProvider,
  type TestOidcProvider,
} from './oidc-provider.ts';
export { validateOpenApi } from './openapi-validator.ts';
export { startPostgres } from './postgres.ts';
export { promtool } from './promtool.ts';
export { type ClientOptions, fetchManifest, pushBlob, pushImage } from './push-image.ts';
export * from './recipes.ts';
export { type LossyRedis, startLossyRedis, startRedis } from './redis.ts';
export { startRegistry, type TestRegistry, type TestRegistryOptions } from './registry.ts';
export { S3_BUILD_MS, startS3, type TestS3 } from './s3.ts';
export type { TestServer } from './server.ts';
export { skopeo } from './skopeo.ts';
export { type ReceivedMail, type SmtpOptions, startSmtp, type TestSmtp } from './smtp.ts';
export { openSql } from './sql.ts';
export { type SyslogFields, type SyslogOptions, startSyslog, type TestSyslog } from './syslog.ts';
export { type Files, randomFiles, tar } from './tar.ts';
export { type TemporaryDir, temporaryDir } from './temporary.ts';
export { checkTraefikFile } from './traefik.ts';
export { TRIVY_BUILD_MS, testTrivy } from './trivy.ts';
export {
  serveJavaDb,
  serveVulnerabilityDb,
  type VulnerabilityDbOptions,
  WIDGET_JAR,
} from './vulnerability-db.ts';
