# Of what Swift Testing prints: failures, skipped tests, other output, and the last line. Not what begins and what passes.
# The line that begins a case repeats its arguments, which may have line ends.
inside { if (/started\.$/) inside = 0; next }
/^◇/ { if (!/started\.$/) inside = 1; next }
/^✔ (Test|Suite) / && !/^✔ Test run with / { next }
/^✔ Test run with 0 tests / { print "no test matches: a filter is a regular expression of names of suites and tests"; exit 1 }
{ print; fflush() }
