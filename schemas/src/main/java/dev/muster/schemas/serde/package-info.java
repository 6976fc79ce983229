/** How records become bytes: Avro in the Confluent wire format, with a client of a schema registry and a small registry to embed. */
package dev.muster.schemas.serde;
