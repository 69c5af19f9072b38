#!/bin/sh
# Checks an account against policies: `pixelctl audit`, with all reports and its exit status. In GitHub Actions it also annotates
# the policies and writes the summary of the step. It also plans a policy, and applies one.
#
#   PIXELCTL_TOKEN     the access token, which is read from the environment and nowhere else
#   PIXELCTL_SERVER    the server that the token is for; what a policy says of its server is only compared with it
#   PIXELCTL_PROFILES  in place of these two: names of several accounts, with PIXELCTL_SERVER_NAME and PIXELCTL_TOKEN_NAME for each
#   AUDIT_PROFILES     these variables, one on a line, where a job cannot set each
#   AUDIT_POLICY       the policies, one on a line
#   AUDIT_REPORTS      the folder for reports; pixelctl-reports unless set
#   AUDIT_FLAGS        more flags for the command, one on a line
#   AUDIT_COMMAND      `audit`, unless set; `plan` writes plan.md, and the output `digest` of a step; `apply` carries a policy out
#   AUDIT_EXPECT       the digest of the plan that `apply` carries out, and no other; without it, whatever the policy asks for
set -eu

reports=${AUDIT_REPORTS:-pixelctl-reports}
newline='
'

if [ -z "${AUDIT_POLICY-}" ]; then
  echo 'No policy is named: set AUDIT_POLICY' >&2
  exit 2
fi

# Names may have spaces and stars in them: only lines are taken apart.
IFS=$newline
set -f

# Nothing else can be set this way. A line is not printed: it may have a token.
for line in ${AUDIT_PROFILES-}; do
  case ${line%%=*} in
    *[!A-Z0-9_]* | "$line") ;;
    PIXELCTL_PROFILES | PIXELCTL_SERVER_* | PIXELCTL_TOKEN_*)
      export "${line?}"
      continue
      ;;
  esac
  echo 'AUDIT_PROFILES: a line is none of PIXELCTL_PROFILES=, PIXELCTL_SERVER_NAME= and PIXELCTL_TOKEN_NAME=' >&2
  exit 2
done
unset AUDIT_PROFILES line

# A policy does not decide where the token goes: whoever can change the policy could have it.
if [ -z "${PIXELCTL_SERVER-}${PIXELCTL_PROFILES-}" ]; then
  echo 'No server is named: set PIXELCTL_SERVER to the server that the token is for, or PIXELCTL_PROFILES' >&2
  exit 2
fi

command=${AUDIT_COMMAND:-audit}
case $command in
  audit | plan | apply) ;;
  *)
    echo 'AUDIT_COMMAND is audit, plan or apply' >&2
    exit 2
    ;;
esac

mkdir -p "$reports"
# Reports of an earlier run are not taken for those of this one.
for name in junit.xml audit.sarif audit.json audit.html summary.md annotations.txt plan.md plan.json; do
  rm -f "$reports/$name"
done

status=0
if [ "$command" = apply ]; then
  # shellcheck disable=SC2086 # taken apart on purpose
  if [ -n "${AUDIT_EXPECT-}" ]; then exec pixelctl apply $AUDIT_POLICY ${AUDIT_FLAGS-} --expect "$AUDIT_EXPECT"; fi
  # shellcheck disable=SC2086 # taken apart on purpose
  exec pixelctl apply $AUDIT_POLICY ${AUDIT_FLAGS-} --yes
fi
if [ "$command" = plan ]; then
  # shellcheck disable=SC2086 # taken apart on purpose
  pixelctl plan $AUDIT_POLICY ${AUDIT_FLAGS-} --json --report "markdown=$reports/plan.md" >"$reports/plan.json" || status=$?
  if [ -n "${GITHUB_OUTPUT-}" ]; then
    sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/digest=\1/p' "$reports/plan.json" | head -n 1 >>"$GITHUB_OUTPUT"
  fi
  if [ -n "${GITHUB_STEP_SUMMARY-}" ] && [ -f "$reports/plan.md" ]; then
    cat "$reports/plan.md" >>"$GITHUB_STEP_SUMMARY"
  fi
  # That something is to be done is what a plan is for.
  if [ "$status" -eq 10 ]; then status=0; fi
  exit "$status"
fi
(
  # shellcheck disable=SC2086 # taken apart on purpose
  exec pixelctl audit $AUDIT_POLICY ${AUDIT_FLAGS-} \
    --report "junit=$reports/junit.xml" \
    --report "sarif=$reports/audit.sarif" \
    --report "json=$reports/audit.json" \
    --report "html=$reports/audit.html" \
    --report "markdown=$reports/summary.md" \
    --report "github=$reports/annotations.txt"
) || status=$?

if [ -n "${GITHUB_ACTIONS-}" ] && [ -f "$reports/annotations.txt" ]; then
  cat "$reports/annotations.txt"
fi
if [ -n "${GITHUB_STEP_SUMMARY-}" ] && [ -f "$reports/summary.md" ]; then
  cat "$reports/summary.md" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
