package io.zett.sandbox.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What arrives at the other end: by Java's serialization, and by the other that Spark has. */
final class Travelled {
  private Travelled() {}

  @SuppressWarnings("BanSerializableRead") // our own bytes
  static <T> T byJava(T value, Class<T> type) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return type.cast(in.readObject());
    }
  }

  static <T> T byKryo(T value, Class<T> type) {
    SerializerInstance kryo = new KryoSerializer(new SparkConf(false)).newInstance();
    ClassTag<T> tag = ClassTag$.MODULE$.apply(type);
    return kryo.deserialize(kryo.serialize(value, tag), tag);
  }
}
