/** One class per subcommand, one renderer for all that lists, one table of exit codes. */
package dev.muster.standalone.cli;
