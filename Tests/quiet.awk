# Of what Swift Testing prints: failures, skipped tests, other output, and the last line. Not what begins and what passes.
# The line that begins a case repeats its arguments, which may have line ends.
inside { if (/started\.$/) inside = 0; next }
/^◇/ { if (!/started\.$/) inside = 1; next }
/^✔ (Test|Suite) / && !/^✔ Test run with / { next }
{ print; fflush() }
