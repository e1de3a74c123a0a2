/** Audit events to people and collectors: the only importer of nodemailer and glossy. */
export {};
