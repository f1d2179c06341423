package io.sluice.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The service; all it says of the gate stands in {@code application.yml}. */
@SpringBootApplication
@RestController
public class OrdersApplication {

    /** Serves on port 8083 until it is ended. */
    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }

    @GetMapping("/orders")
    String orders() {
        return "your orders\n";
    }
}
