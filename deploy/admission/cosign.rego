# For `cosign verify-attestation --policy`: the verdict is PASSED, and not older than eight days.
package signature

eight_days := 8 * 24 * 60 * 60 * 1000000000

allow {
  input.predicateType == "https://slsa.dev/verification_summary/v1"
  input.predicate.verificationResult == "PASSED"
  time.now_ns() - time.parse_rfc3339_ns(input.predicate.timeVerified) < eight_days
  # Only by this policy:
  # startswith(input.predicate.policy.uri, "https://images.example.com#policy=prod&")
}
