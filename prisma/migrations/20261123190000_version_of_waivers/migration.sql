-- runs-since: 20261121193000_audit_days
-- A waiver may be for one version of a package.
ALTER TABLE "waivers" ADD COLUMN "package_version" TEXT;
