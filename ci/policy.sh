#!/bin/sh
# Audits accounts by policies, or plans or applies a policy: with all reports, and the exit status of pixelctl, but for a plan with changes, which
# is 0. In GitHub Actions it also annotates the policies, writes the summary of the step, and gives the digest of the plan to later steps.
#
#   PIXELCTL_TOKEN     the access token, which is read from the environment and nowhere else
#   PIXELCTL_SERVER    the server that the token is for; what a policy says of its server is only compared with it
#   PIXELCTL_PROFILES  in place of these two: names of several accounts, with PIXELCTL_SERVER_NAME and PIXELCTL_TOKEN_NAME for each
#   POLICY_PROFILES    these variables, one on a line, where a job cannot set each
#   POLICY_COMMAND     audit (the default), plan or apply
#   POLICY_FILES       the policies, one on a line; plan and apply take one
#   POLICY_EXPECT      the digest of the plan to apply: exactly that one; without it, whatever the policy asks for by then
#   POLICY_REPORTS     the folder for reports; pixelctl-reports unless set
#   POLICY_FLAGS       more flags for the command, one on a line
set -eu

command=${POLICY_COMMAND:-audit}
reports=${POLICY_REPORTS:-pixelctl-reports}
newline='
'

case $command in
  audit | plan | apply) ;;
  *)
    echo 'POLICY_COMMAND is none of audit, plan and apply' >&2
    exit 2
    ;;
esac

if [ -z "${POLICY_FILES-}" ]; then
  echo 'No policy is named: set POLICY_FILES' >&2
  exit 2
fi

# Names may have spaces and stars in them: only lines are taken apart.
IFS=$newline
set -f

# Nothing else can be set this way. A line is not printed: it may have a token.
for line in ${POLICY_PROFILES-}; do
  case ${line%%=*} in
    *[!A-Z0-9_]* | "$line") ;;
    PIXELCTL_PROFILES | PIXELCTL_SERVER_* | PIXELCTL_TOKEN_*)
      export "${line?}"
      continue
      ;;
  esac
  echo 'POLICY_PROFILES: a line is none of PIXELCTL_PROFILES=, PIXELCTL_SERVER_NAME= and PIXELCTL_TOKEN_NAME=' >&2
  exit 2
done
unset POLICY_PROFILES line

# A policy does not decide where the token goes: whoever can change the policy could have it.
if [ -z "${PIXELCTL_SERVER-}${PIXELCTL_PROFILES-}" ]; then
  echo 'No server is named: set PIXELCTL_SERVER to the server that the token is for, or PIXELCTL_PROFILES' >&2
  exit 2
fi

mkdir -p "$reports"
# Reports of an earlier run are not taken for those of this one.
for name in junit.xml audit.sarif audit.json audit.html summary.md annotations.txt digest.txt; do
  rm -f "$reports/$name"
done

status=0
# shellcheck disable=SC2086 # taken apart on purpose
case $command in
  audit)
    pixelctl audit $POLICY_FILES ${POLICY_FLAGS-} \
      --report "junit=$reports/junit.xml" \
      --report "sarif=$reports/audit.sarif" \
      --report "json=$reports/audit.json" \
      --report "html=$reports/audit.html" \
      --report "markdown=$reports/summary.md" \
      --report "github=$reports/annotations.txt" || status=$?
    ;;
  plan)
    # Of several accounts each plan has the digest of all.
    pixelctl plan $POLICY_FILES ${POLICY_FLAGS-} --report "markdown=$reports/summary.md" \
      --jq '[.] | flatten | map(.digest // empty) | first // empty' >"$reports/digest.txt" || status=$?
    if [ "$status" -eq 10 ]; then status=0; fi
    ;;
  apply)
    if [ -n "${POLICY_EXPECT-}" ]; then set -- --expect "$POLICY_EXPECT"; else set -- --yes; fi
    pixelctl apply $POLICY_FILES ${POLICY_FLAGS-} "$@" --report "markdown=$reports/summary.md" || status=$?
    ;;
esac

if [ -n "${GITHUB_ACTIONS-}" ] && [ -f "$reports/annotations.txt" ]; then
  cat "$reports/annotations.txt"
fi
if [ -n "${GITHUB_STEP_SUMMARY-}" ] && [ -f "$reports/summary.md" ]; then
  cat "$reports/summary.md" >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT-}" ] && [ -f "$reports/digest.txt" ]; then
  echo "digest=$(cat "$reports/digest.txt")" >>"$GITHUB_OUTPUT"
fi
exit "$status"
